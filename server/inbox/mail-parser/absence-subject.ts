/** Starts of the subject of an absence note, in lowercase, as mail programs write them in their languages. */
const STARTS = [
  'automatic reply',
  'automatic response',
  'automated reply',
  'automated response',
  'auto reply',
  'auto-reply',
  'autoreply',
  'auto response',
  'auto-response',
  'autoresponse',
  'auto: out of office',
  'out of office',
  'out-of-office',
  'out of the office',
  'out of office autoreply',
  'out of office auto-reply',
  'vacation reply',
  'vacation response',
  'automatische antwort',
  'automatische abwesenheitsnotiz',
  'abwesenheitsnotiz',
  'abwesenheitsnachricht',
  'abwesenheitsmeldung',
  'nicht im büro',
  'réponse automatique',
  'absence du bureau',
  'absent du bureau',
  'absente du bureau',
  'message d’absence',
  "message d'absence",
  'notification d’absence',
  "notification d'absence",
  'respuesta automática',
  'respuesta automatica',
  'fuera de la oficina',
  'fuera de oficina',
  'risposta automatica',
  'fuori ufficio',
  'fuori sede',
  'resposta automática',
  'fora do escritório',
  'ausência temporária',
  'automatisch antwoord',
  'automatische beantwoording',
  'afwezigheidsbericht',
  'niet aanwezig',
  'autosvar',
  'automatiskt svar',
  'automatisk svar',
  'frånvaromeddelande',
  'frånvarande',
  'fraværende',
  'fraværsmelding',
  'fraværsbesked',
  'automaattinen vastaus',
  'poissaoloviesti',
  'automatyczna odpowiedź',
  'odpowiedź automatyczna',
  'autoodpowiedź',
  'automatická odpověď',
  'automatická odpoveď',
  'automatikus válasz',
  'răspuns automat',
  'otomatik yanıt',
  'ofis dışında',
  'автоматический ответ',
  'автоответ',
  'нет на работе',
  'автоматична відповідь',
  '自動応答',
  '自動返信',
  '自动答复',
  '自动回复',
  '自動回覆',
  '자동 회신',
  '자동 응답',
];

/** What follows the start: the subject of the answered mail, or nothing. */
const AFTER_START = /^\s*(?:[:：([|]|[-–—]\s|(?:re|aw|fw|wg)\s?:|$)/;
/** A mark that a mail server puts before the subject, for example `[EXTERNAL]`. */
const MARK = /^\[[^\]]{1,40}\]\s*/;
/** Subject that Lotus Notes writes: a name, then this. */
const NAME_IS_AWAY = /^\S.{0,80} is out of the office(?:\.?$| ?\(| (?:until|from|returning)\b)/;

/**
 * Returns whether a subject is that of an absence note: the phrase is at its start, so `Re: Out of office` is the answer of
 * a person. Some programs mark such mail only by its subject.
 */
export function isAbsenceSubject(subject: string | null): boolean {
  const text = (subject ?? '').slice(0, 200).trim().toLowerCase().replace(MARK, '');
  if (NAME_IS_AWAY.test(text)) return true;
  return STARTS.some((start) => text.startsWith(start) && AFTER_START.test(text.slice(start.length)));
}
