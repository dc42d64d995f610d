/**
 * What phones are searched by: their digits 0 to 9 alone, so that a leading `+`, spaces and dashes do not matter
 * (decisions: values, 8). The check `contacts_phone_digits` of the database says the same.
 * @returns null when there is no digit
 */
export function phoneDigits(phone: string): string | null {
  return phone.replaceAll(/[^0-9]/g, '') || null;
}
