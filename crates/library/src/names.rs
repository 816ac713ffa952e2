use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

/// The longest name that is kept, in letters.
const LONGEST: usize = 100;

/// Names by number, each stored once.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
    /// As they are searched.
    folded: Vec<Box<str>>,
    games: Vec<u32>,
}

/// A name and how many games it stands in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedCount {
    /// The name.
    pub name: String,
    /// Games.
    pub games: u32,
}

impl Names {
    /// The number of a name, and how many bytes a new one takes.
    pub fn number(&mut self, name: &str) -> (u32, usize) {
        let name = clean(name);
        if let Some(&number) = self.numbers.get(name.as_str()) {
            self.games[number as usize] += 1;
            return (number, 0);
        }
        let (number, bytes) = (self.names.len() as u32, 2 * name.len() + 100);
        let shared: Arc<str> = name.into();
        self.folded.push(fold(&shared).into());
        self.names.push(shared.clone());
        self.games.push(1);
        self.numbers.insert(shared, number);
        (number, bytes)
    }

    pub fn get(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// The number of this very name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// How many names there are, the unknown one left out.
    pub fn known(&self) -> usize {
        self.names.len() - usize::from(self.numbers.contains_key(""))
    }

    /// Which names a wish means: those that are it, or else those with all its
    /// words. `None` for an empty wish.
    pub fn wanted(&self, wish: &str) -> Option<Vec<bool>> {
        let wish = fold(wish);
        let words: Vec<&str> = wish.split_whitespace().collect();
        if words.is_empty() {
            return None;
        }
        let whole = words.join(" ");
        let same: Vec<bool> = self.folded.iter().map(|name| **name == *whole).collect();
        if same.contains(&true) {
            return Some(same);
        }
        let fits = |name: &str| words.iter().all(|word| name.contains(word));
        Some(self.folded.iter().map(|name| fits(name)).collect())
    }

    /// The names a wish means, or for an empty one all, the most frequent
    /// first.
    pub fn like(&self, wish: &str, most: usize) -> Vec<NamedCount> {
        let words = fold(wish);
        let fits = |name: &str| words.split_whitespace().all(|word| name.contains(word));
        let mut found: Vec<usize> = (0..self.names.len())
            .filter(|&number| !self.names[number].is_empty() && fits(&self.folded[number]))
            .collect();
        found.sort_by_key(|&number| (u32::MAX - self.games[number], &self.names[number]));
        found.truncate(most);
        let named = |number: usize| NamedCount {
            name: self.names[number].to_string(),
            games: self.games[number],
        };
        found.into_iter().map(named).collect()
    }
}

/// A name without control characters and not too long.
fn clean(name: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    name.trim().chars().take(LONGEST).map(plain).collect()
}

/// Small letters without accents: what people type when they look for a name.
pub(crate) fn fold(text: &str) -> String {
    let plain = |c: char| match c {
        'à'..='å' | 'ā' => 'a',
        'ç' | 'č' => 'c',
        'è'..='ë' | 'ē' => 'e',
        'ì'..='ï' | 'ī' => 'i',
        'ñ' => 'n',
        'ò'..='ö' | 'ø' | 'ō' => 'o',
        'š' => 's',
        'ù'..='ü' | 'ū' => 'u',
        'ý' | 'ÿ' => 'y',
        'ž' => 'z',
        other => other,
    };
    text.chars().flat_map(char::to_lowercase).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Names {
        let mut names = Names::default();
        list.iter().for_each(|name| {
            names.number(name);
        });
        names
    }

    #[test]
    fn a_wish_means_the_name_itself_or_all_names_with_its_words() {
        let names = names(&["Müller", "Muller Jan", "Li", "Lindström", ""]);
        assert_eq!(names.wanted(" "), None);
        assert_eq!(names.wanted("muller").unwrap(), [true, false, false, false, false]);
        assert_eq!(names.wanted("JAN m").unwrap(), [false, true, false, false, false]);
        assert_eq!(names.wanted("li").unwrap(), [false, false, true, false, false]);
        assert_eq!(names.wanted("lin").unwrap(), [false, false, false, true, false]);
        assert_eq!(names.known(), 4);
    }

    #[test]
    fn the_most_frequent_names_come_first_and_the_unknown_one_never() {
        let names = names(&["b", "a", "b", "", "", "", "c"]);
        let listed: Vec<String> = names.like("", 2).into_iter().map(|named| named.name).collect();
        assert_eq!(listed, ["b", "a"]);
    }

    #[test]
    fn names_are_short_and_printable() {
        let mut names = Names::default();
        names.number(&format!("a\u{1b}[31m{}", "x".repeat(5000)));
        let kept = names.get(0);
        assert!(kept.chars().count() == LONGEST && !kept.contains('\u{1b}'), "{kept}");
    }
}
