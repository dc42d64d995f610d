import * as Menu from '@radix-ui/react-menu';
import { AlertDialog, Dialog, Popover } from 'radix-ui';

/** What draws dialogs, menus and small panels. Loaded late (`use-kit.ts`). */
export const kit = { AlertDialog, Dialog, Menu, Popover };
