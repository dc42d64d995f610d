/** The look of a text field or select. */
export const controlClass = 'control control-line';
