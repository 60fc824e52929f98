//! Side tables of optional facts in dumps: a list in the order of ids, without the empty end.

use cranelift_entity::{EntityRef, SecondaryMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<K, V, S>(
    table: &SecondaryMap<K, Option<V>>,
    serializer: S,
) -> Result<S::Ok, S::Error>
where
    K: EntityRef,
    V: Clone + Serialize,
    S: Serializer,
{
    let mut list: Vec<&Option<V>> = table.values().collect();
    while list.last().is_some_and(|last| last.is_none()) {
        list.pop();
    }
    list.serialize(serializer)
}

pub(crate) fn deserialize<'de, K, V, D>(
    deserializer: D,
) -> Result<SecondaryMap<K, Option<V>>, D::Error>
where
    K: EntityRef,
    V: Clone + Deserialize<'de>,
    D: Deserializer<'de>,
{
    let list = Vec::<Option<V>>::deserialize(deserializer)?;
    let mut table = SecondaryMap::new();
    for (i, value) in list.into_iter().enumerate() {
        if value.is_some() {
            table[K::new(i)] = value;
        }
    }
    Ok(table)
}
