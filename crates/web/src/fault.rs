use discern_board::ParseTranscriptError;
use discern_records::archive::ArchiveError;
use discern_records::ggf::GgfError;
use discern_records::obf::ObfError;
use discern_records::sgf::SgfError;
use discern_records::wthor::WthorError;
use discern_records::{Fault, Reason, TagError};
use serde::Serialize;

use crate::refusal::quoted;

/// What is wrong in an upload: one sentence, and the same for pages in other
/// languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FaultJson {
    /// Where and why.
    pub sentence: String,
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// A move against the rules.
    Illegal,
    /// A text that means nothing in this format.
    Notation,
    /// A record that contradicts itself.
    Contradiction,
    /// Another game, another board, or a version we do not know.
    Unsupported,
    /// The end is missing.
    Incomplete,
    /// The bytes were changed.
    Damaged,
}

impl FaultJson {
    /// A fault of a file.
    pub fn new(fault: &Fault) -> FaultJson {
        FaultJson {
            sentence: quoted(&fault.to_string()),
            kind: Kind::of(&fault.reason),
            game: fault.place.game,
            line: fault.place.line,
            byte: fault.place.offset,
        }
    }
}

impl Kind {
    fn of(reason: &Reason) -> Kind {
        match reason {
            Reason::Illegal { .. }
            | Reason::Transcript(ParseTranscriptError::Illegal { .. })
            | Reason::Obf(ObfError::Illegal { .. })
            | Reason::Ggf(GgfError::Turn { .. })
            | Reason::Sgf(SgfError::Turn { .. }) => Kind::Illegal,
            Reason::Record(_) | Reason::Obf(ObfError::Best { .. }) => Kind::Contradiction,
            Reason::Archive(ArchiveError::Version(_))
            | Reason::Ggf(GgfError::Game(_) | GgfError::Type(_))
            | Reason::Sgf(SgfError::Game(_) | SgfError::Size(_))
            | Reason::Wthor(WthorError::Size(_) | WthorError::Solitaire) => Kind::Unsupported,
            Reason::Tags(TagError::NoEnd)
            | Reason::Wthor(WthorError::NoHeader { .. } | WthorError::Short { .. }) => {
                Kind::Incomplete
            }
            Reason::Archive(_) | Reason::Io(_) => Kind::Damaged,
            _ => Kind::Notation,
        }
    }
}
