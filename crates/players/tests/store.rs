//! Weights by their content.

use std::fs;
use std::sync::Arc;

use discern_eval::AnyEvaluator;
use discern_players::{PlayerSpec, WeightStore, fingerprint_of_bytes};

#[test]
fn players_are_settled_by_content_and_share_their_weights() {
    let folder = tempfile::tempdir().unwrap();
    let store = WeightStore::new();
    let settled = |text: &str| {
        let mut player: PlayerSpec = text.parse().unwrap();
        store.settle(&mut player).map(|()| player)
    };
    let weights = |player: &PlayerSpec| player.as_engine().unwrap().weights.clone();
    let shipped = settled("log,depth=1").unwrap();
    let name = weights(&shipped).unwrap();
    assert_eq!(shipped.name, "log");
    store.copy_to(folder.path(), [&shipped]).unwrap();
    let file = folder.path().join(format!("{name}.weights"));
    assert_eq!(fingerprint_of_bytes(&fs::read(&file).unwrap()), name);
    let named = settled(&format!("quad,weights={},depth=1", file.display())).unwrap();
    assert_eq!(
        (weights(&named), &named.name),
        (Some(name.clone()), &format!("quad-{}", &name[..8]))
    );
    assert_eq!(settled(&named.to_string()).unwrap(), named, "a hash is as good as a file");
    let evaluator = || match store.evaluator("log", Some(&name)).unwrap() {
        AnyEvaluator::Linear(linear) => linear,
        other => panic!("{other:?}"),
    };
    assert!(Arc::ptr_eq(&evaluator(), &evaluator()), "folded once");
    assert_eq!(weights(&settled("rev,depth=1").unwrap()), None);
    let error = |text: &str| settled(text).unwrap_err().to_string();
    assert!(error("name=a,model=edax").starts_with("a: there is no model 'edax', only log, "));
    assert!(error("rev,weights=x").contains("rev has no weight file"));
    assert!(error("log,weights=/nowhere").starts_with("/nowhere: "));
}

#[test]
fn a_folder_must_have_the_content_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let store = WeightStore::new();
    let name = "0123456789abcdef0123456789abcdef";
    let error = || store.weights(name).err().unwrap().to_string();
    assert!(error().contains("not at hand"));
    store.add_folder(folder.path());
    fs::write(folder.path().join(format!("{name}.weights")), "nothing of the kind").unwrap();
    assert!(error().contains("not the plan's weights"), "{}", error());
}
