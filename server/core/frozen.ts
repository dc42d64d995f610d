/** Makes an object readonly, with all objects, arrays, maps and sets inside it. */
export type Frozen<T> =
  T extends Map<infer Key, infer Value>
    ? ReadonlyMap<Key, Frozen<Value>>
    : T extends Set<infer Item>
      ? ReadonlySet<Item>
      : T extends (infer Item)[]
        ? readonly Frozen<Item>[]
        : T extends Date
          ? T
          : T extends object
            ? { readonly [Key in keyof T]: Frozen<T[Key]> }
            : T;
