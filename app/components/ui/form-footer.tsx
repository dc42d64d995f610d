import { Button } from '#app/components/ui/button.tsx';

type Props = {
  /** Closes the form. Without it, there is no Cancel button. */
  onCancel?: () => void;
  /** Labels of the submit button, idle and while pending. */
  submit: string;
  busy: string;
  pending: boolean;
  variant?: 'primary' | 'danger';
  disabled?: boolean;
};

/** Buttons of a form in a dialog, visible while a long form scrolls. On phones, Submit comes first. */
export function FormFooter({ onCancel, submit, busy, pending, variant = 'primary', disabled }: Props) {
  return (
    <div className="form-footer">
      {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
      <Button type="submit" variant={variant} disabled={disabled} aria-busy={pending}>
        {pending ? busy : submit}
      </Button>
    </div>
  );
}
