/**
 * Makes the page live. Changes are sent to the platform's JSON API. Changed parts are then replaced from a fresh
 * server-rendered page, so there is only one renderer.
 */
const selectedIn = (page) => page.getElementById('connections-list')?.dataset.selected ?? '';
const connection = selectedIn(document);
const workflowsPath = `/api/connections/${connection}/workflows`;
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

/** The renewal that starts last, and whether it still waits for the one before it. */
let last = { parts: '', isWaiting: false, done: Promise.resolve() };

/**
 * Replaces the selected parts with those of a freshly loaded page. One page is loaded after the other, so the parts never
 * come from an older page than before. Equal renewals that follow each other share a page.
 */
function renew(selector, query = {}) {
  const parts = JSON.stringify([selector, query]);
  if (last.isWaiting && last.parts === parts) return last.done;
  const next = { parts, isWaiting: true };
  const start = () => {
    next.isWaiting = false;
    return replaceParts(selector, query);
  };
  // Also after a renewal that failed.
  next.done = last.done.then(start, start);
  last = next;
  return next.done;
}

/** Replaces parts, and keeps the focus and open details. */
async function replaceParts(selector, query) {
  const response = await fetch(`/?${new URLSearchParams({ connection, ...query })}`).catch(() => null);
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (selectedIn(fresh) !== connection) {
    if (!leaving) location.assign('/');
    return;
  }
  enableForms(fresh);
  const focused = document.activeElement?.id;
  for (const part of document.querySelectorAll(selector)) {
    const replacement = fresh.getElementById(part.id);
    for (const { id } of part.querySelectorAll('details[open][id]')) {
      replacement?.querySelector(`#${id}`)?.setAttribute('open', '');
    }
    if (replacement) part.replaceWith(document.adoptNode(replacement));
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

/** Lets the user use the forms, which are inert until this script handles them. */
function enableForms(page) {
  for (const form of page.querySelectorAll('form[inert]')) form.removeAttribute('inert');
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

/** Creates a workflow with the form's values, and turns it on. */
async function createWorkflow(form) {
  const { trigger, action, filter, insert: _, ...values } = Object.fromEntries(new FormData(form));
  await whileBusy(form, form.querySelector('output'), async () => {
    const answer = await call('POST', workflowsPath, { trigger, action, filter, values });
    showAnswer(form, answer, false);
    await renew('[data-live]');
    if (answer.status === null || answer.status >= 300) return;
    document.getElementById('workflow-answer').textContent = 'The workflow is on.';
    form.reset();
    await renew('#workflow-form-fields', {});
    fillAllChoices(form);
    // The newest is first. The focus also scrolls to it.
    document.querySelector('#workflows-list [role="switch"]').focus();
  });
}

/** Turns a workflow on or off, or deletes it. */
async function changeWorkflow(button) {
  const item = button.closest('li');
  const line = document.getElementById('workflow-answer');
  const { switch: switched, delete: deleted } = button.dataset;
  await whileBusy(item, line, async () => {
    const answer = deleted
      ? await call('DELETE', `${workflowsPath}/${deleted}`)
      : await call('PATCH', `${workflowsPath}/${switched}`, {
          on: button.getAttribute('aria-checked') === 'false',
        });
    const good = answer.status !== null && answer.status < 300;
    line.dataset.tone = good ? 'good' : 'bad';
    line.textContent = good ? '' : (answer.problem ?? answer.body?.message ?? 'That did not work.');
    await renew('[data-live]');
  });
}

/** Shows the fields of the chosen trigger and action, with the texts that were changed. */
async function chooseWorkflow(form) {
  const typed = [...form.querySelectorAll('fieldset :is(input, textarea)')];
  const changed = typed.filter((field) => field.value !== field.defaultValue);
  const { trigger, action } = Object.fromEntries(new FormData(form));
  await renew('#workflow-form-fields', { trigger, action });
  for (const { id, value } of changed) {
    const field = document.getElementById(id);
    if (field) field.value = value;
  }
  fillAllChoices(form);
}

/** Inserts the chosen field of the event where the user typed last, else in the last text of the form. */
function insertField(button) {
  const form = button.closest('form');
  const target =
    form.querySelector('[data-last]') ??
    form.querySelector('textarea') ??
    form.querySelector('fieldset input');
  const { value } = document.getElementById(button.dataset.insert);
  target.setRangeText(value, target.selectionStart, target.selectionEnd, 'end');
  target.focus();
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

function fillAllChoices(area) {
  for (const select of area.querySelectorAll('select[data-source]')) fillChoices(select);
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
  renewSuggestions();
}

let suggestionsAreOld = false;
/** Suggests the ids of records in received events. Several events at once cause one request at a time. */
async function renewSuggestions() {
  if (suggestionsAreOld) return;
  suggestionsAreOld = true;
  await new Promise((resolve) => setTimeout(resolve, 300));
  suggestionsAreOld = false;
  await renew('datalist');
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  const isWorkflow = form.id === 'workflow-form';
  if (!isWorkflow && !form.dataset.step && !form.dataset.trigger) return;
  event.preventDefault();
  if (isWorkflow) createWorkflow(form);
  else if (form.dataset.step) runStep(form);
  else actOnTrigger(form, event.submitter?.value ?? 'samples');
});

document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button?.dataset.do) actOnConnection(button);
  if (button?.dataset.insert) insertField(button);
  if (button?.dataset.switch || button?.dataset.delete) changeWorkflow(button);
});

document.addEventListener('focusin', ({ target }) => {
  if (!target.matches('#workflow-form fieldset :is(input, textarea)')) return;
  for (const field of target.form.querySelectorAll('[data-last]')) delete field.dataset.last;
  target.dataset.last = '';
});

document.addEventListener('change', ({ target }) => {
  const { subscription } = target.dataset;
  if (subscription) call('PATCH', `/api/subscriptions/${subscription}`, { answer_mode: target.value });
  if (['workflow-form-trigger', 'workflow-form-action'].includes(target.id)) chooseWorkflow(target.form);
});

enableForms(document);

// A reload or a bookmark must not show the notice again.
if (location.search.includes('notice=')) {
  history.replaceState(null, '', connection ? `/?connection=${connection}` : '/');
}

if (connection) {
  fillAllChoices(document);
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
