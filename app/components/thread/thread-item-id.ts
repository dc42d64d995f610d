/** Returns the id of the element that shows a thread item. */
export function threadItemId(id: string): string {
  return `item-${id}`;
}
