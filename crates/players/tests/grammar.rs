//! Players as text, as tables of a file and as JSON.

use discern_players::{PlayerSpec, Protocol, Who, clock};
use discern_records::Clock;

#[test]
fn players_survive_printing_and_parsing() {
    for text in [
        "rev,depth=6,outcome=16,score=12",
        "rev-edges,name=x,nodes=5000,outcome=14,score=10",
        "log,weights=a.weights,threads=2,hash=64,depth=8,nodes=100000",
        "direct,selective=true,timing=processor,time=60+0.5",
        "log,move-time=0.05,chance=150,margin=1000,among=4,stray-until=20",
        "log,depth=4,book=my.book,book-loss=20,draws=seek",
        "rev,depth=4,search=plain",
        "cmd='prog -a 1,2 \"b c\"',name=x,protocol=nboard,dir='a b',time=90",
        "cmd=prog,name=x,protocol=nboard,timing=processor,depth=12",
        "cmd='my prog' \"b, c\",name=x,protocol=gtp",
        "model='},'",
        "model='',name=x",
        "model='a=b',name='\tx',depth=1",
    ] {
        let player: PlayerSpec = text.parse().unwrap();
        assert_eq!(player.to_string(), text);
        let json = serde_json::to_string(&player).unwrap();
        assert_eq!(serde_json::from_str::<PlayerSpec>(&json).unwrap(), player, "{json}");
    }
    let short: PlayerSpec = "solve=16".parse().unwrap();
    assert_eq!(short, "model=log,outcome=16,score=14".parse().unwrap());
}

#[test]
fn quotes_keep_commas_and_programs_speak_gtp_by_default() {
    let text = "name=x, cmd='prog -a 1,2 \"b c\"',time=1:30+0.5";
    let player: PlayerSpec = text.parse().unwrap();
    let Who::Program(program) = &player.who else { panic!("{player:?}") };
    assert_eq!(program.command, "prog -a 1,2 \"b c\"");
    assert_eq!(program.protocol, Protocol::Gtp);
    let clock = Clock { main_ms: 90_000, increment_ms: 500, grace_ms: 0 };
    assert_eq!(player.limits.clock, Some(clock));
}

#[test]
fn a_table_of_a_file_has_the_same_settings() {
    #[derive(serde::Deserialize)]
    struct File {
        player: Vec<PlayerSpec>,
    }
    let read = |text: &str| toml::from_str::<File>(text).map(|file| file.player);
    let players = read(
        "[[player]]\nname = \"a\"\ntime = 7\nthreads = 2\n\
         [[player]]\nmodel = \"rev\"\nmove-time = 0.5\nselective = true\n",
    );
    let expected = ["name=a,time=7,threads=2", "rev,move-time=0.5,selective=true"];
    assert_eq!(players.unwrap(), expected.map(|text| text.parse().unwrap()));
    let text = "[[player]]\nname = \"a\"\ndept = 2\n";
    let error = read(text).unwrap_err();
    assert_eq!(error.message(), "'dept' is not a setting of a player");
    let line = 1 + text[..error.span().unwrap().start].matches('\n').count();
    assert_eq!(line, 3);
}

#[test]
fn faults_are_named() {
    let error = |text: &str| text.parse::<PlayerSpec>().unwrap_err().to_string();
    assert_eq!(error("name=a,dept=3"), "'dept' is not a setting of a player");
    assert_eq!(error("name=a,depth=x"), "depth=x: a whole number");
    assert_eq!(error("name=a,selective=1"), "selective=1: true or false");
    assert_eq!(error("name=a,search=mine"), "search=mine: usual or plain");
    assert_eq!(error("name=a,cmd='x"), "a quotation mark ' is never closed");
    assert_eq!(error("name=a,strong"), "'strong' is not setting=value");
    assert_eq!(error("cmd=x,protocol=uci"), "protocol=uci: gtp or nboard");
    assert!(error("cmd=x,model=log").contains("belong to our engine"));
    assert!(error("log,dir=x").contains("belong to a program"));
    assert!(error("time=0").starts_with("time=0: '0' is not a time"));
}

#[test]
fn incomplete_players_say_what_is_missing() {
    let fault = |text: &str| text.parse::<PlayerSpec>().unwrap().check().unwrap_err().to_string();
    assert!(fault("name=a").starts_with("a: no limit"));
    assert!(fault("name=a,depth=0").contains("a limit of 0"));
    assert!(fault("name=a,depth=1,search=plain,selective=true").contains("leaves nothing out"));
    assert!(fault("name=a,depth=1,outcome=31").contains("more than 30"));
    assert!(fault("name=a,cmd=cat,depth=3").contains("GTP cannot limit depth"));
    assert!(fault("name=a,depth=3,chance=1001").contains("a chance above 1"));
}

#[test]
fn times_are_read_in_seconds_and_minutes() {
    let ms = |text: &str| clock(text).map(|clock| (clock.main_ms, clock.increment_ms));
    assert_eq!(ms("60"), Ok((60_000, 0)));
    assert_eq!(ms("0.2"), Ok((200, 0)));
    assert_eq!(ms("1:30+0.5"), Ok((90_000, 500)));
    for bad in ["", "x", "-1", "0", "1+", "1+x", "inf", "1e9"] {
        assert!(ms(bad).is_err(), "{bad}");
    }
}
