/** Parameters of an OAuth request: each may be sent once, and empty equals absent (RFC 6749 §3.1, §3.2). */
export type SingleParameters = { values: Map<string, string>; repeated: Set<string> };

/** Parses parameters without trimming, and returns the names of repeated ones. */
export function singleParameters(parameters: URLSearchParams): SingleParameters {
  const values = new Map<string, string>();
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, value] of parameters) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    if (value !== '') values.set(name, value);
  }
  return { values, repeated };
}
