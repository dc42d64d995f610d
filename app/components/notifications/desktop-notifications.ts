export type DesktopPermission = NotificationPermission | 'unsupported';

/** True if this browser creates notifications for a page. Unknown until it was tried. */
let createsThem: boolean | undefined;

/**
 * Returns the permission for desktop notifications. Chrome for Android has a permission, but shows only notifications of
 * service workers. Trying is the only way to know, and without the permission nothing is shown.
 */
export function desktopPermission(): DesktopPermission {
  if (typeof Notification === 'undefined') return 'unsupported';
  if (createsThem === undefined && Notification.permission !== 'granted') createNotification('');
  return createsThem === false ? 'unsupported' : Notification.permission;
}

/** Shows a desktop notification. Returns null in a browser that shows none. */
export function createNotification(title: string, options?: NotificationOptions): Notification | null {
  try {
    const notification = new Notification(title, options);
    createsThem = true;
    return notification;
  } catch {
    createsThem = false;
    return null;
  }
}
