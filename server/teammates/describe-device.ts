import Bowser from 'bowser';

/** Longer values of the header User-Agent are cut before they are parsed. */
const USER_AGENT_MAX_LENGTH = 400;

/** Returns browser and system of a User-Agent header, such as "Chrome on Windows". */
export function describeDevice(userAgent: string | null | undefined): string {
  const text = userAgent?.slice(0, USER_AGENT_MAX_LENGTH).trim();
  if (!text) return 'an unknown browser';
  const { browser, os } = Bowser.parse(text);
  return [browser.name || 'an unknown browser', os.name].filter(Boolean).join(' on ');
}
