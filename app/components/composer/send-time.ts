/** Texts of the field for the time at which a reply is sent. */
export const SEND_TIME = { label: 'Send at', hint: 'If the contact writes before, you are asked first.' };
