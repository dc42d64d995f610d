/**
 * Returns whether a key press belongs to an input method, such as the Enter that confirms Japanese text. Safari sends that one after the
 * composition has ended: only its key code differs from the Enter that sends.
 */
export function isComposing(press: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return press.isComposing || press.keyCode === 229;
}
