// Loaded together once the page is idle, or with the first use (`lazyParts`).

import '#app/components/shell/installed-app.ts';

export { SavedViewLinks } from '#app/components/saved-views/saved-view-links.tsx';
export { ShortcutsDialog } from '#app/components/shell/shortcuts-dialog.tsx';
export { TooltipLayer } from '#app/components/shell/tooltip-layer.tsx';
export { UserMenuItems } from '#app/components/shell/user-menu-items.tsx';
export { WorkspaceMenuItems } from '#app/components/shell/workspace-menu-items.tsx';
