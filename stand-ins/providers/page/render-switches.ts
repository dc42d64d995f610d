import { type Html, html } from '../../http/html.ts';
import { CHANNEL_KINDS } from '../channel-kind.ts';
import { type Account, keyOf } from '../state.ts';
import { type Option, renderSelect } from './render-page.ts';

const NO: Option = { value: '', label: 'No' };

const WINDOWS: Option[] = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed: more than 24 hours' },
  { value: 'expired', label: 'Closed: more than 7 days' },
];

const RECEIPTS: Option[] = [
  { value: 'read', label: 'Sent, delivered, read' },
  { value: 'delivered', label: 'Sent, delivered' },
  { value: 'none', label: 'Nothing' },
];

const TIMES: Option[] = [
  { value: '1', label: 'Once' },
  { value: '3', label: '3 times in parallel' },
  { value: '10', label: '10 times in parallel' },
];

/** Renders the switches of an account as one form. */
export function renderSwitches(account: Account): Html {
  const { switches, channel } = account;
  const { refusals, lateFailures } = CHANNEL_KINDS[channel];
  const isMeta = channel !== 'telegram' && channel !== 'slack';
  const refuse = Object.entries(refusals).map(([value, { label }]) => ({ value, label }));
  const late = lateFailures.map(({ code, title }) => ({ value: String(code), label: `${code} ${title}` }));
  const select = (name: string, label: string, options: Option[], chosen: string) =>
    renderSelect({ id: name, name, label, options, chosen });
  const check = (name: string, label: string, isOn: boolean) =>
    html`<label><input type="checkbox" name="${name}" value="1" ${isOn && html`checked`}> ${label}</label>`;
  return html`
    <form method="post" action="/switches/${encodeURIComponent(keyOf(account))}">
      ${isMeta && select('window', 'Messaging window', WINDOWS, switches.window)}
      ${select('refuse_next', 'Reject the next send', [NO, ...refuse], switches.refuseNext ?? '')}
      ${check('refuse_all', 'Also all later sends', switches.refuseAll)}
      ${late.length > 0 && select('late_failure', 'Fail the next message after accepting it', [NO, ...late], switches.lateFailure ?? '')}
      ${isMeta && select('receipts', 'Statuses of each message', RECEIPTS, switches.receipts)}
      ${select('times', 'Deliver each update', TIMES, String(switches.times))}
      ${check('reversed', 'Deliver newest first', switches.reversed)}
      ${check('token_invalid', 'The token is invalid', !switches.tokenValid)}
      <button>Apply</button>
    </form>`;
}
