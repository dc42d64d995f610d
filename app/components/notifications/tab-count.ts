/** Above this, the count is shown as "99+". */
const COUNTED_MAX = 99;
const ICON_SIZE = 64;
/** Colours of the badge, the same on light and dark tabs. */
const BADGE = '#d32f2f';
const BADGE_TEXT = '#ffffff';

let count = 0;
let observer: MutationObserver | undefined;
/** The page's icon without a badge. */
let plainIcon: string | undefined;
/** URL of the icon for the count, once it is drawn. */
let shownIcon: string | undefined;

/** Shows the number of unread notifications in the tab's title and icon, even after navigations replace them, and on the installed app's icon. */
export function showTabCount(unread: number): void {
  const isSame = unread === count && observer;
  count = unread;
  if (!observer) {
    observer = new MutationObserver(showInHead);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  }
  showInTitle();
  if (isSame) return;
  void showInIcon();
  showOnApp();
}

/** Shows the count on the icon of the installed app, in browsers that support it. It remains there while the app is closed. */
function showOnApp(): void {
  if (!('setAppBadge' in navigator)) return;
  // Refused where the app is not installed.
  navigator.setAppBadge(count).catch(() => undefined);
}

/** Removes the count. */
export function clearTabCount(): void {
  if (!observer) return;
  showTabCount(0);
  observer?.disconnect();
  observer = undefined;
}

function showInHead(): void {
  showInTitle();
  if (shownIcon === undefined) void showInIcon();
  else showIcon(shownIcon);
}

function showInTitle(): void {
  const plain = document.title.replace(/^\(\d+\+?\)( |$)/, '');
  // During a navigation, the title is empty for a moment.
  if (plain === '') return;
  const title = count > 0 ? `(${shownCount()}) ${plain}` : plain;
  if (document.title !== title) document.title = title;
}

function shownCount(): string {
  return count > COUNTED_MAX ? `${COUNTED_MAX}+` : String(count);
}

async function showInIcon(): Promise<void> {
  plainIcon ??= iconLinks()[0]?.href;
  if (plainIcon === undefined) return;
  const drawn = count;
  const href = count === 0 ? plainIcon : await drawIcon(plainIcon).catch(() => undefined);
  if (href === undefined || drawn !== count) return;
  shownIcon = href;
  showIcon(href);
}

/** Sets the URL of all icon links. React does not recognize a changed link, and adds another one with the plain icon. */
function showIcon(href: string): void {
  for (const link of iconLinks()) if (link.href !== href) link.href = href;
}

function iconLinks(): HTMLLinkElement[] {
  return [...document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')];
}

/** Returns the icon with the count as a data URL, which the content security policy allows. */
async function drawIcon(plain: string): Promise<string | undefined> {
  const icon = new Image(ICON_SIZE, ICON_SIZE);
  icon.src = plain;
  await icon.decode();
  const canvas = document.createElement('canvas');
  canvas.width = ICON_SIZE;
  canvas.height = ICON_SIZE;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.drawImage(icon, 0, 0, ICON_SIZE, ICON_SIZE);
  const radius = ICON_SIZE * 0.34;
  const [x, y] = [ICON_SIZE - radius, radius];
  context.fillStyle = BADGE;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = BADGE_TEXT;
  context.font = `bold ${radius * (count > 9 ? 1.1 : 1.4)}px sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(count > COUNTED_MAX ? '+' : String(count), x, y + 1);
  return canvas.toDataURL('image/png');
}
