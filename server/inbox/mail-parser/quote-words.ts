/** Labels in the header block above a quoted mail, in the languages of mail programs. */
export const HEADER_LABELS: Record<'from' | 'sent' | 'to' | 'subject', ReadonlySet<string>> = {
  from: words(`
    from|von|de|da|van|od|från|fra|от|kimden|lähettäjä|feladó|差出人|发件人|寄件者|보낸 사람|de la|από|від|
    отправитель|odosielateľ|odesílatel|מאת|من|từ|saatja|no|nuo|dari|จาก|发件者|寄件人|avsender|afsender`),
  sent: words(`
    sent|date|gesendet|gesendet am|datum|envoyé|envoyé le|enviado|enviado el|enviada em|enviado em|
    fecha|inviato|data|verzonden|wysłano|skickat|sendt|dato|отправлено|дата|gönderildi|tarih|
    lähetetty|päivämäärä|odesláno|elküldve|送信日時|日付|发送时间|日期|보낸 날짜|στάλθηκε|ημερομηνία|надіслано|
    trimis|dată|odoslané|dátum|נשלח|תאריך|تم الإرسال|تاريخ الإرسال|التاريخ|đã gửi|ngày|изпратено|
    küldve|poslano|poslané|dátum odoslania|saadetud|nosūtīts|išsiųsta|dikirim|tanggal|ส่ง|วันที่|
    寄件日期|发送日期|date d’envoi|date d'envoi|data wysłania|inviato il|verzonden op`),
  to: words(`
    to|an|à|a|para|aan|do|till|til|кому|kime|vastaanottaja|komu|címzett|宛先|收件人|받는 사람|către|προς|אל|
    إلى|đến|tới|до|za|prima|adressaat|kam|kepada|ถึง|收件者`),
  subject: words(`
    subject|betreff|objet|asunto|oggetto|assunto|onderwerp|temat|ämne|emne|тема|konu|aihe|předmět|
    tárgy|件名|主题|主旨|제목|subiect|θέμα|נושא|الموضوع|chủ đề|относно|zadeva|predmet|teema|temats|tema|
    subjek|เรื่อง|主題`),
};

/** Returns the words of a list with `|` between them. */
function words(list: string): ReadonlySet<string> {
  return new Set(list.split('|').map((word) => word.trim()));
}

/** Words between dashes above a quoted mail. */
export const ORIGINAL_MESSAGE: ReadonlySet<string> = new Set([
  'original message',
  'original-nachricht',
  'ursprüngliche nachricht',
  'originalnachricht',
  "message d'origine",
  'message d’origine',
  'message original',
  'mensaje original',
  'messaggio originale',
  'mensagem original',
  'oorspronkelijk bericht',
  'wiadomość oryginalna',
  'oryginalna wiadomość',
  'ursprungligt meddelande',
  'originalmeddelande',
  'oprindelig meddelelse',
  'opprinnelig melding',
  'исходное сообщение',
  'original email',
  'reply message',
  '原始邮件',
  '元のメッセージ',
  '원본 메시지',
  'původní zpráva',
  'orijinal mesaj',
  'oprindelig besked',
  'eredeti üzenet',
  'mesaj original',
  'αρχικό μήνυμα',
  'оригінальне повідомлення',
  'первоначальное сообщение',
  'pôvodná správa',
  'הודעה מקורית',
  'الرسالة الأصلية',
  'thư gốc',
  'izvirno sporočilo',
  'originalna poruka',
  'alkuperäinen viesti',
]);

/** Words above a forwarded mail. A forwarded mail is not a quote: the reader has not seen it. */
export const FORWARDED_MESSAGE: ReadonlySet<string> = new Set([
  'forwarded message',
  'begin forwarded message',
  'weitergeleitete nachricht',
  'anfang der weitergeleiteten nachricht',
  'message transféré',
  'message transmis',
  'début du message réexpédié',
  'début du message transféré',
  'mensaje reenviado',
  'inicio del mensaje reenviado',
  'messaggio inoltrato',
  'inizio messaggio inoltrato',
  'mensagem encaminhada',
  'mensagem reencaminhada',
  'início da mensagem encaminhada',
  'início da mensagem reencaminhada',
  'doorgestuurd bericht',
  'begin doorgestuurd bericht',
  'przekazana wiadomość',
  'wiadomość przekazana',
  'początek przekazywanej wiadomości',
  'początek przekazanej wiadomości',
  'treść przekazanej wiadomości',
  'vidarebefordrat meddelande',
  'vidarebefordrat brev',
  'videresendt meddelelse',
  'videresendt melding',
  'пересланное сообщение',
  'пересылаемое сообщение',
  '転送されたメッセージ',
  '转发的邮件',
  '轉寄的郵件',
]);

/** Subject prefixes of forwarded mails. */
export const FORWARD_PREFIXES: ReadonlySet<string> = new Set([
  'fw',
  'fwd',
  'wg',
  'tr',
  'rv',
  'i',
  'enc',
  'res: enc',
  'doorst',
  'pd',
  'vs',
  'vb',
  'vl',
  '转发',
  '轉寄',
  '전달',
  '転送',
]);

/** Subject prefixes of replies. */
export const REPLY_PREFIXES = words(
  're|aw|antw|antwort|sv|vs|rif|ref|r|res|odp|vá|ynt|atb|απ|σχετ|відп|на|ответ|回复|回覆|答复|답장|返信|رد|تغ|השב|trả lời|bls|ar',
);

/** Sentences that announce answers in a quoted mail, which only a person can tell from the quote. */
export const ANSWERS_BELOW = words(
  'see below|see answers|see my answers|see inline|see in line|answers below|answer below|answers inline|answered below|' +
    'answered inline|comments inline|comments below|replies below|replies inline|in red below|answers in red|answers in blue|' +
    'siehe unten|s. unten|antworten unten|antworten im text|antwort unten|in rot unten|voir ci-dessous|réponses ci-dessous|' +
    'réponses dans le texte|en rouge ci-dessous|ver abajo|respuestas abajo|más abajo|vedi sotto|risposte sotto|di seguito|' +
    'veja abaixo|ver abaixo|respostas abaixo|zie onder|zie hieronder|antwoorden hieronder|patrz poniżej|zobacz poniżej|' +
    'odpowiedzi poniżej|se nedan|svar nedan|se nedenfor|se under',
);

/** Words for "wrote" in attributions. */
export const WROTE: ReadonlySet<string> = new Set([
  'wrote',
  'writes',
  'schrieb',
  'geschrieben',
  'écrit',
  'ecrit',
  'escribió',
  'escribio',
  'scritto',
  'escreveu',
  'schreef',
  'geschreven',
  'napisał',
  'napisała',
  'napisal',
  'pisze',
  'skrev',
  'kirjoitti',
  'написал',
  'написала',
  'написав',
  'пишет',
  'yazdı',
  'napsal',
  'napsala',
  'írta',
]);

/** Words for "wrote" in scripts without spaces, matched anywhere in the line. */
export const WROTE_WITHIN: readonly string[] = [
  '写道',
  '寫道',
  '写了',
  'のメール',
  'のメッセージ',
  '書きました',
  'wrote',
  '작성',
  '님이',
];

/** First words of an attribution that a mail program may break into several lines. */
export const WROTE_PREFIXES: readonly string[] = [
  'on ',
  'am ',
  'le ',
  'el ',
  'il ',
  'il giorno ',
  'em ',
  'a ',
  'op ',
  'w dniu ',
  'dnia ',
  'den ',
  'på ',
  'pe ',
  'ke ',
  'mon',
  'tue',
  'wed',
  'thu',
  'fri',
  'sat',
  'sun',
  'пн',
  'вт',
  'ср',
  'чт',
  'пт',
  'сб',
  'вс',
  '在',
  'pon',
  'wt',
  'śr',
  'czw',
  'pt',
  'sob',
  'niedz',
];
