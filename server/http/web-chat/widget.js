// Puts the chat of a workspace on a site:
// <script src="https://…/widget.js" data-workspace="…" async></script>
(() => {
  const script = document.currentScript;
  const workspace = script?.dataset?.workspace;
  if (!script?.src || !workspace || window.sharedInboxChat) return;
  window.sharedInboxChat = true;

  const base = script.src.replace(/\/widget\.js([?#].*)?$/, '');
  const { origin } = new URL(base);
  // The chat is loaded when it is first opened, as most visitors of a site never write. After that it loads
  // with every page of the site, so that replies show.
  const OPENED = `chat-opened:${workspace}`;
  // A chat that is not ready by then offers to load it again.
  const LATE_MS = 10_000;
  const phone = window.matchMedia('(max-width: 30rem)');

  const host = document.createElement('div');
  host.style.cssText = 'position:fixed;inset:auto 0 0 auto;z-index:2147483000';
  const root = host.attachShadow({ mode: 'open' });
  const style = `
    :host { all: initial }
    * { box-sizing: border-box }
    .bubble { position: fixed; right: 20px; bottom: 20px; width: 56px; height: 56px; padding: 0; border: 0;
      border-radius: 50%; background: #3450cf; color: #fff; cursor: pointer; display: grid; place-items: center;
      box-shadow: 0 4px 16px rgb(20 20 40 / .28); transition: background .12s }
    .bubble:hover { background: #2a42b2 }
    .bubble:focus-visible { outline: 3px solid #fff; outline-offset: -5px; box-shadow: 0 0 0 3px #3450cf }
    svg { width: 26px; height: 26px; fill: none; stroke: currentColor; stroke-width: 1.9; stroke-linecap: round;
      stroke-linejoin: round }
    i { position: absolute; top: 0; right: 0; width: 16px; height: 16px; border-radius: 50%; background: #d13f3f;
      border: 2px solid #fff }
    section { position: fixed; display: flex; flex-direction: column; right: 20px; bottom: 88px; width: min(380px, calc(100vw - 40px));
      height: min(620px, calc(100dvh - 108px)); border-radius: 14px; overflow: hidden; background: Canvas;
      border: 1px solid rgb(128 128 140 / .4); box-shadow: 0 12px 40px rgb(20 20 40 / .28) }
    iframe { flex: 1; min-height: 0; width: 100%; border: 0 }
    .late { display: flex; align-items: center; justify-content: space-between; gap: 12px; padding: 12px 16px;
      border-bottom: 1px solid rgb(128 128 140 / .4); color: CanvasText; font: 14px/1.4 system-ui, sans-serif }
    .late p { margin: 0 }
    .late button { flex: none; padding: 8px 14px; border: 0; border-radius: 8px; background: #3450cf; color: #fff; font: inherit;
      font-weight: 500; cursor: pointer }
    .late button:focus-visible { outline: 3px solid #3450cf; outline-offset: 2px }
    [hidden] { display: none !important }
    section.full { inset: 0; width: 100vw; height: 100dvh; border: 0; border-radius: 0 }
    @media (prefers-reduced-motion: reduce) { .bubble { transition: none } }`;
  // A constructed style sheet, as a site's content security policy can forbid style elements.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];

  const drawing = (path) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('aria-hidden', 'true');
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    line.setAttribute('d', path);
    svg.append(line);
    return svg;
  };
  const bubble = drawing(
    'M21 11.5a8.4 8.4 0 0 1-12.300 7.400L3.500 20.500l1.600-4.600A8.400 8.400 0 1 1 21 11.500z',
  );
  const cross = drawing('M6 6l12 12M18 6 6 18');

  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'bubble';
  button.setAttribute('aria-haspopup', 'dialog');
  const dot = document.createElement('i');
  const panel = document.createElement('section');
  panel.setAttribute('role', 'dialog');
  panel.setAttribute('aria-label', 'Chat');
  panel.hidden = true;
  const late = document.createElement('div');
  late.className = 'late';
  late.hidden = true;
  const problem = document.createElement('p');
  problem.setAttribute('role', 'status');
  const again = document.createElement('button');
  again.type = 'button';
  again.textContent = 'Try again';
  late.append(problem, again);
  panel.append(late);
  root.append(panel, button);

  let frame;
  let timer;
  let isLate = false;
  let isOpen = false;
  let isReady = false;
  let wasClosed = false;
  let isUnread = false;

  function show() {
    button.replaceChildren(isOpen ? cross : bubble);
    if (isUnread && !isOpen) button.append(dot);
    button.setAttribute('aria-expanded', String(isOpen));
    button.setAttribute(
      'aria-label',
      isOpen ? 'Close the chat' : isUnread ? 'Open the chat, there is a new reply' : 'Open the chat',
    );
    panel.hidden = !isOpen;
    panel.classList.toggle('full', phone.matches);
    // On a phone the chat fills the screen and has its own close button, once it is loaded.
    button.hidden = isOpen && isReady && phone.matches;
    late.hidden = !isLate || isReady;
    problem.textContent = late.hidden ? '' : 'The chat has not loaded.';
  }

  function load() {
    // A chat that had not loaded when it was closed, or in time, is loaded again when it is opened.
    if (!frame || (!isReady && (wasClosed || isLate))) reload();
  }

  function reload() {
    frame?.remove();
    frame = document.createElement('iframe');
    frame.title = 'Chat';
    frame.src = `${base}/chat/${encodeURIComponent(workspace)}?in=widget`;
    frame.addEventListener('load', postState);
    panel.append(frame);
    expectChat();
  }

  // Whether a frame of another site has loaded is not known: a chat that has says so.
  function expectChat() {
    isReady = false;
    isLate = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      isLate = true;
      show();
    }, LATE_MS);
  }

  function postState() {
    frame?.contentWindow?.postMessage({ type: isOpen ? 'chat:opened' : 'chat:closed' }, origin);
  }

  function open() {
    isOpen = true;
    isUnread = false;
    load();
    show();
    frame.focus();
    postState();
    remember();
  }

  function close() {
    if (!isOpen) return;
    isOpen = false;
    wasClosed = true;
    show();
    postState();
    button.focus();
  }

  function remember() {
    try {
      localStorage.setItem(OPENED, '1');
    } catch {
      // The site may forbid storage. The chat is then loaded when it is opened.
    }
  }

  function wasOpened() {
    try {
      return localStorage.getItem(OPENED) !== null;
    } catch {
      return false;
    }
  }

  button.addEventListener('click', () => (isOpen ? close() : open()));
  again.addEventListener('click', () => {
    reload();
    show();
    frame.focus();
  });
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  phone.addEventListener('change', show);
  window.addEventListener('message', ({ origin: from, source, data }) => {
    if (from !== origin || !frame || source !== frame.contentWindow) return;
    if (data?.type === 'chat:close') close();
    if (data?.type === 'chat:ready') {
      isReady = true;
      clearTimeout(timer);
      show();
      postState();
    }
    if (data?.type === 'chat:unread' && !isOpen) {
      isUnread = true;
      show();
    }
  });

  function start() {
    document.body.append(host);
    show();
    if (wasOpened()) load();
    // Some sites replace their body instead of loading another page. The chat then loads again.
    new MutationObserver(() => {
      if (host.isConnected || !document.body) return;
      if (frame) expectChat();
      document.body.append(host);
      show();
    }).observe(document.documentElement, { childList: true });
  }
  if (document.body) start();
  else document.addEventListener('DOMContentLoaded', start);
})();
