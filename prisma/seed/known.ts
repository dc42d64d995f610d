/** What a map holds under a key; data that refers to something it does not contain is a mistake in the data. */
export function known<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The demo data refers to what it lacks: ${JSON.stringify(key)}.`);
  return value;
}
