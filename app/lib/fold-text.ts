/** Removes accents and case, so that `zoe` and `ZOË` match `Zoë`. */
export function foldText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
