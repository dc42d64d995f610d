import { expect, test } from 'vitest';
import { isAbsenceSubject } from '#server/inbox/mail-parser/absence-subject.ts';

test.each([
  'Automatic reply: Your order',
  'AUTOMATIC REPLY: Your order',
  '[EXTERNAL] Automatic reply: Your order',
  'Out of Office',
  'Out of Office: Your order',
  'Out of Office AutoReply: Your order',
  'Out of office Re: Your order',
  'Auto-Reply: Your order',
  'Ada Lovelace is out of the office (returning 1 December)',
  'Ada Lovelace is out of the office.',
  'Automatische Antwort: Ihre Bestellung',
  'Abwesenheitsnotiz: Ihre Bestellung',
  'Abwesenheitsnotiz',
  'Réponse automatique : Votre commande',
  'Respuesta automática: Su pedido',
  'Risposta automatica: Il suo ordine',
  'Resposta automática: O seu pedido',
  'Automatisch antwoord: Uw bestelling',
  'Automatiskt svar: Din beställning',
  'Automatisk svar: Din bestilling',
  'Automaattinen vastaus: Tilauksesi',
  'Odpowiedź automatyczna: Zamówienie',
  'Автоматический ответ: Ваш заказ',
  'Автоматична відповідь: Замовлення',
  '自動返信: ご注文',
  '自动答复: 订单',
])('“%s” is the subject of an absence note', (subject) => {
  expect(isAbsenceSubject(subject)).toBe(true);
});

test.each([
  null,
  '',
  'Your order',
  'Re: Automatic reply: Your order',
  'AW: Abwesenheitsnotiz: Ihre Bestellung',
  'Out of office messages are not sent',
  'Automatic replies: how do I turn them off?',
  'Automatische Antworten funktionieren nicht',
  'Why is my colleague out of the office?',
  'Is Ada out of the office until Monday?',
  'Question: out of office',
])('“%s” is the subject of a person', (subject) => {
  expect(isAbsenceSubject(subject)).toBe(false);
});
