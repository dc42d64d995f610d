import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { StartError } from '../../http/listen.ts';
import { log } from '../../http/log.ts';
import { makeCertificate } from '../../http/make-certificate.ts';
import { leadsToService } from '../dns/find-records.ts';
import { uuid } from '../make-ids.ts';
import { changed, type Providers } from '../providers.ts';
import { bounce } from './bounce.ts';
import { addMail, type Mail, type MailAnswer, type MailState } from './mail-state.ts';
import { post } from './send-to-service.ts';

const MAIL_MAX_BYTES = 60_000_000;

const SENTENCES: Readonly<Partial<Record<MailAnswer, string>>> = {
  '450': '4.2.0 Mailbox busy, greylisted: try again later',
  '451': '4.3.0 Requested action aborted: local error in processing',
  '550': '5.1.1 No such mailbox here',
  '552': '5.2.2 Mailbox full',
  '554': '5.7.1 Message refused as spam',
};

/**
 * Listens for mail from the service, with optional STARTTLS. The mailbox page sets how mail is handled.
 * @throws StartError when the port is taken or not permitted
 */
export async function openSink(providers: Providers): Promise<SMTPServer> {
  const { smtpPort } = providers.settings;
  const { key, cert } = await makeCertificate('localhost');
  const server = new SMTPServer({
    key,
    cert,
    authOptional: true,
    onAuth: (_auth, _session, callback) => callback(null, { user: 'service' }),
    size: MAIL_MAX_BYTES,
    banner: 'Stand-in for the mail servers of contacts',
    onData: (stream, session, callback) => {
      receive(providers, stream, session).then(
        () => callback(),
        (error: unknown) => callback(error instanceof Error ? error : new Error('Unknown fault')),
      );
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentence = `Port ${smtpPort} cannot be used (${error.code}). Set PROVIDERS_SMTP_PORT to another port.`;
      reject(new StartError(sentence));
    });
    server.listen(smtpPort, 'localhost', resolve);
  });
  server.removeAllListeners('error');
  server.on('error', (error: Error) => log('providers.smtp_fault', { message: error.message }));
  return server;
}

async function receive(
  providers: Providers,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const { mail: state } = providers.state;
  const answer = nextAnswer(state);
  if (answer === 'hang') return new Promise(() => {});
  const sentence = SENTENCES[answer];
  const mail: Mail = {
    id: uuid(),
    direction: 'out',
    at: new Date(),
    envelope: {
      from: envelope.mailFrom ? envelope.mailFrom.address : '',
      to: envelope.rcptTo.map(({ address }) => address),
    },
    raw,
    email: await PostalMime.parse(raw),
    answer: sentence ? `${answer} ${sentence}` : '250 OK: message queued',
    accepted: sentence === undefined,
  };
  addMail(state, mail);
  changed(providers);
  log('providers.mail_received', { id: mail.id, answer });
  if (sentence) throw Object.assign(new Error(sentence), { responseCode: Number(answer) });
  if (answer === 'bounce') void bounce(providers, mail);
  else relay(providers, mail);
}

/** Delivers a mail to those recipients whose mail the service receives, as their MX records say. */
function relay(providers: Providers, { raw, envelope }: Mail): void {
  const to = envelope.to.filter((address) => leadsToService(providers, address));
  if (to.length === 0) return;
  void post(providers.settings.inboundSmtpPort, raw, { ...envelope, to }).then(({ answer }) =>
    log('providers.mail_relayed', { to: to.join(', '), answer }),
  );
}

function nextAnswer(state: MailState): MailAnswer {
  const { answer } = state;
  if (state.count !== null && answer !== 'accept') {
    state.count -= 1;
    if (state.count <= 0) Object.assign(state, { answer: 'accept', count: null });
  }
  return answer;
}
