export * as Menu from '@radix-ui/react-menu';
export { AlertDialog, Dialog, Popover } from 'radix-ui';
