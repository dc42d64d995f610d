/** Keeps the page live: replaces parts marked `data-live` from a freshly loaded page when the state changes. */
let isBusy = false;
let isDue = false;

async function renew() {
  isDue = true;
  if (isBusy) return;
  isBusy = true;
  while (isDue) {
    isDue = false;
    const response = await fetch(location.href).catch(() => null);
    if (response?.ok) replaceParts(new DOMParser().parseFromString(await response.text(), 'text/html'));
  }
  isBusy = false;
}

function replaceParts(fresh) {
  for (const part of document.querySelectorAll('[data-live]')) {
    const replacement = fresh.getElementById(part.id);
    // Parts with the focus or with opened details stay as they are.
    const isInUse = part.contains(document.activeElement) || part.querySelector('details[open]');
    if (!replacement || isInUse || part.innerHTML === replacement.innerHTML) continue;
    part.replaceChildren(...replacement.childNodes);
    if (part.id === 'log') part.scrollTop = part.scrollHeight;
  }
}

// A reload must not show the notice again.
const address = new URL(location.href);
if (address.searchParams.has('notice')) {
  address.searchParams.delete('notice');
  history.replaceState(null, '', address);
}

const log = document.getElementById('log');
if (log) log.scrollTop = log.scrollHeight;
const stream = new EventSource('/stream');
stream.addEventListener('changed', renew);
