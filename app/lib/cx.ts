/**
 * Joins class names, without falsy ones. Component classes are in a lower layer (`globals.css`), so that extra
 * utilities override them. Never join two utilities for the same property.
 */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
