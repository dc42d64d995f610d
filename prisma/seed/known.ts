/**
 * Returns a value of a map.
 * @throws when the key is missing, which is a mistake in the demo data
 */
export function known<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The demo data refers to a missing key: ${JSON.stringify(key)}.`);
  return value;
}
