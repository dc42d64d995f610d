import * as Menu from '@radix-ui/react-menu';
import { AlertDialog, Dialog, Popover } from 'radix-ui';

/** The Radix parts of all overlays, loaded lazily (`use-radix.ts`). */
export const radix = { AlertDialog, Dialog, Menu, Popover };
