/** A notification as the bell shows it. */
export type NotificationView = {
  id: string;
  sentence: string;
  /** Where it leads, as a path; null when there is nothing to see any more. */
  href: string | null;
  createdAt: Date;
  isRead: boolean;
};

/** The newest notifications of a teammate in one workspace, and how many are unread in all; 100: so many or more. */
export type NotificationsView = { newest: NotificationView[]; unread: number };
