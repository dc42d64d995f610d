/** Keeps the page live: parts marked `data-live` are taken from a fresh copy of it when something changed. */
let isBusy = false;
let isDue = false;

async function renew() {
  isDue = true;
  if (isBusy) return;
  isBusy = true;
  while (isDue) {
    isDue = false;
    const response = await fetch(location.href).catch(() => null);
    if (response?.ok) takeFrom(new DOMParser().parseFromString(await response.text(), 'text/html'));
  }
  isBusy = false;
}

function takeFrom(fresh) {
  for (const part of document.querySelectorAll('[data-live]')) {
    const replacement = fresh.getElementById(part.id);
    // What somebody works in stays as it is, and so does what they have opened.
    const isInUse = part.contains(document.activeElement) || part.querySelector('details[open]');
    if (!replacement || isInUse || part.innerHTML === replacement.innerHTML) continue;
    part.replaceChildren(...replacement.childNodes);
    if (part.id === 'log') part.scrollTop = part.scrollHeight;
  }
}

// The notice has been read; a reload should not show it again.
const address = new URL(location.href);
if (address.searchParams.has('notice')) {
  address.searchParams.delete('notice');
  history.replaceState(null, '', address);
}

const log = document.getElementById('log');
if (log) log.scrollTop = log.scrollHeight;
const stream = new EventSource('/stream');
stream.addEventListener('changed', renew);
