/**
 * Makes the page live. Changes are sent to the platform's JSON API. Changed parts are then replaced from a fresh
 * server-rendered page, so there is only one renderer.
 */
const selectedIn = (page) => page.getElementById('connections-list')?.dataset.selected ?? '';
const connection = selectedIn(document);
const EVENTS_SHOWN = 50;
/** True when this page is about to be left. */
let leaving = false;

/** Calls the JSON API of the platform. A failure is returned in the shape of an unanswered call. */
async function call(method, path, body) {
  try {
    const response = await fetch(path, {
      method,
      headers: body ? { 'Content-Type': 'application/json' } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
    const reply = await response.json();
    return response.ok ? reply : { status: null, problem: reply.message };
  } catch {
    return { status: null, problem: 'The platform did not respond. Is it still running?' };
  }
}

/** Replaces the selected parts with those of a freshly loaded page, and keeps the focus. */
async function renew(selector) {
  const response = await fetch(`/?connection=${connection}`).catch(() => null);
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (selectedIn(fresh) !== connection) {
    if (!leaving) location.assign('/');
    return;
  }
  const focused = document.activeElement?.id;
  for (const part of document.querySelectorAll(selector)) {
    const replacement = fresh.getElementById(part.id);
    if (replacement) part.replaceWith(document.adoptNode(replacement));
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

/** Disables the buttons of an area while `work` runs. */
async function whileBusy(area, line, work) {
  if (area.getAttribute('aria-busy') === 'true') return;
  const buttons = [...area.querySelectorAll('button')];
  const focused = document.activeElement;
  area.setAttribute('aria-busy', 'true');
  line.dataset.tone = 'waiting';
  line.textContent = 'Waiting for the response…';
  for (const button of buttons) button.disabled = true;
  try {
    await work();
  } finally {
    area.removeAttribute('aria-busy');
    for (const button of buttons) button.disabled = false;
    if (document.activeElement === document.body && focused?.isConnected) focused.focus();
  }
}

/** Shows a response under its form: status, message, JSON, and errors at their fields. */
function showAnswer(area, answer, open = true) {
  const line = area.querySelector('output');
  const details = area.querySelector('output + details');
  const json = details.querySelector('pre');
  const good = answer.status !== null && answer.status < 300;
  const sentence = answer.status === null ? answer.problem : good ? '' : (answer.body?.message ?? '');
  const status = answer.status === null ? 'No response' : `${answer.status} ${answer.status_text}`;
  const time = answer.duration_ms ? ` in ${answer.duration_ms} ms` : '';
  line.dataset.tone = good ? 'good' : 'bad';
  line.textContent = `${status}${time}${sentence ? `: ${sentence}` : ''}`;
  details.hidden = answer.status === null;
  details.open = open || !good;
  json.textContent = answer.status === null ? '' : JSON.stringify(answer.body, null, 2);
  showFieldErrors(area, (answer.status === null ? answer.errors : answer.body?.errors) ?? {});
}

function showFieldErrors(area, errors) {
  for (const place of area.querySelectorAll('[data-error]')) {
    const sentences = Object.hasOwn(errors, place.dataset.error) ? errors[place.dataset.error] : [];
    const field = document.getElementById(place.id.replace(/-error$/, ''));
    place.textContent = [sentences].flat().join(' ');
    place.hidden = sentences.length === 0;
    const hint = document.getElementById(`${field.id}-hint`);
    const described = [hint?.id, place.hidden ? null : place.id].filter(Boolean).join(' ');
    field.toggleAttribute('aria-invalid', false);
    if (!place.hidden) field.setAttribute('aria-invalid', 'true');
    if (described) field.setAttribute('aria-describedby', described);
    else field.removeAttribute('aria-describedby');
  }
}

async function runStep(form) {
  const values = Object.fromEntries(new FormData(form));
  await whileBusy(form, form.querySelector('output'), async () => {
    const path = `/api/connections/${connection}/steps/${form.dataset.step}`;
    showAnswer(form, await call('POST', path, { values }));
    await renew('datalist');
  });
}

/** Turns a trigger on or off, or loads its samples. */
async function actOnTrigger(form, wanted) {
  const card = form.closest('section');
  const event = form.dataset.trigger;
  const filter = new FormData(form).get('filter') ?? '';
  const base = `/api/connections/${connection}`;
  await whileBusy(card, card.querySelector('output'), async () => {
    if (wanted === 'samples') {
      const query = new URLSearchParams({ filter });
      showAnswer(card, await call('GET', `${base}/samples/${event}?${query}`));
      return;
    }
    const answer =
      wanted === 'on'
        ? await call('POST', `${base}/subscriptions`, { event, filter })
        : await call('DELETE', `${base}/subscriptions/${event}`);
    const swapped = card.querySelector('[data-swap]').id;
    if (answer.status !== null && answer.status < 300) {
      await renew(`#${swapped}`);
      document.getElementById(`${swapped}-switch`)?.focus();
    }
    showAnswer(card, answer, false);
  });
}

/** Tests or disconnects a connection. */
async function actOnConnection(button) {
  const { do: wanted, connection: id } = button.dataset;
  const line = document.getElementById('connection-answer');
  const item = button.closest('li');
  const label = item.querySelector('a').textContent;
  leaving = wanted === 'disconnect' && id === connection;
  await whileBusy(item, line, async () => {
    const answer = await call('POST', `/api/connections/${id}/${wanted}`);
    const good = wanted === 'test' ? answer.status === 200 : answer.ok === true;
    if (leaving && good) {
      location.assign(`/?notice=${answer.notice}`);
      return;
    }
    leaving = false;
    const done = wanted === 'test' ? 'works' : 'is disconnected';
    const problem = answer.problem ?? answer.message ?? answer.body?.message ?? 'failed';
    line.dataset.tone = good ? 'good' : 'bad';
    line.textContent = good ? `${label} ${done}.` : `${label}: ${problem}`;
    await renew('[data-live]');
  });
}

/** Fills a dropdown with records of the service. */
async function fillChoices(select) {
  const reply = await call('GET', `/api/connections/${connection}/choices/${select.dataset.source}`);
  for (const { value, label } of reply.choices ?? []) select.add(new Option(label, value));
  if (reply.choices) return;
  const place = document.getElementById(`${select.id}-error`);
  place.textContent = `The choices could not be loaded: ${reply.problem}`;
  place.hidden = false;
  select.setAttribute('aria-describedby', place.id);
}

/** Adds an event at the top of the list, or updates it in place when it is repeated. */
function showEvent({ data }) {
  const news = JSON.parse(data);
  if (news.connection !== connection) return;
  const list = document.getElementById('events-list');
  const parsed = new DOMParser().parseFromString(`<ol>${news.html}</ol>`, 'text/html');
  const item = document.adoptNode(parsed.querySelector('li'));
  const known = document.getElementById(news.id);
  item.dataset.new = '';
  if (known) {
    item.querySelector('details').open = known.querySelector('details').open;
    known.replaceWith(item);
  } else {
    list.prepend(item);
    list.children[EVENTS_SHOWN]?.remove();
  }
  document.getElementById('announcer').textContent = news.announcement;
  const received = document.getElementById(`received-${news.subscription}`);
  if (received) received.textContent = news.received;
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!form.dataset.step && !form.dataset.trigger) return;
  event.preventDefault();
  if (form.dataset.step) runStep(form);
  else actOnTrigger(form, event.submitter?.value ?? 'samples');
});

document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-do]');
  if (button) actOnConnection(button);
});

document.addEventListener('change', ({ target }) => {
  const { subscription } = target.dataset;
  if (subscription) call('PATCH', `/api/subscriptions/${subscription}`, { answer_mode: target.value });
});

// A reload or a bookmark must not show the notice again.
if (location.search.includes('notice=')) {
  history.replaceState(null, '', connection ? `/?connection=${connection}` : '/');
}

if (connection) {
  for (const select of document.querySelectorAll('select[data-source]')) fillChoices(select);
  const stream = new EventSource('/api/stream');
  let opened = false;
  stream.addEventListener('open', () => {
    // After a reconnect, load what was missed. The first connection needs nothing: the page is fresh.
    if (opened) renew('#events-list, [data-live]');
    opened = true;
  });
  stream.addEventListener('event', showEvent);
  stream.addEventListener('changed', () => renew('[data-live]'));
  stream.addEventListener('reset', () => location.assign('/'));
}
