'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '#app/components/settings/account/actions.ts';
import { OwnPassword } from '#app/components/settings/account/own-password.tsx';
import { RecoveryCodes } from '#app/components/settings/account/recovery-codes.tsx';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { CopyButton } from '#app/components/ui/copy-button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { pluralize } from '#app/lib/format-count.ts';
import type { Outcome } from '#app/lib/outcome.ts';
import type { NewSecondFactor, SecondFactorView } from '#server/screens/settings/account-views.ts';

/** Few enough that new recovery codes should be created. */
const FEW_CODES = 3;

/** Sets up the second factor, or replaces its recovery codes and turns it off. */
export function SecondFactor({ view }: { view: SecondFactorView }) {
  /** The view at the time a dialog was opened. It stays while the page refreshes: the dialog may show recovery codes. */
  const [held, setHeld] = useState<SecondFactorView | null>(null);
  const { enabledAt, hasPasskeys, recoveryCodesLeft } = held ?? view;
  const hold: Hold = (isOpen) => setHeld(isOpen ? view : null);
  if (enabledAt === null && !hasPasskeys) {
    return (
      <>
        <p className="max-w-[65ch] text-ink-soft">
          After your password, you also enter a code of an authenticator app, such as the one in your password
          manager. Nobody can sign in with your password only. A passkey does the same.
        </p>
        <SetUpDialog hold={hold} />
      </>
    );
  }
  return (
    <>
      <p className="text-list">
        <StatusDot tone={recoveryCodesLeft < FEW_CODES ? 'waiting' : 'good'}>
          {`On${enabledAt ? '' : ' with your passkeys'}. ${pluralize(recoveryCodesLeft, 'recovery code')} left`}
        </StatusDot>
      </p>
      <div className="flex flex-wrap gap-2">
        {enabledAt ? null : <SetUpDialog hold={hold} />}
        <RenewDialog hold={hold} />
        {enabledAt ? <TurnOffDialog hasPasskeys={hasPasskeys} hold={hold} /> : null}
      </div>
    </>
  );
}

/** Keeps what the page shows while a dialog is open. */
type Hold = (isOpen: boolean) => void;

function SetUpDialog({ hold }: { hold: Hold }) {
  const [stage, setStage] = useState<NewSecondFactor | string[] | null>(null);
  const titles = stage === null ? 'Set up two-factor authentication' : 'Scan the code';
  return (
    <StagedDialog
      trigger={<Button className="w-fit max-md:w-full">Set up</Button>}
      title={Array.isArray(stage) ? 'Store your recovery codes' : titles}
      onOpen={() => setStage(null)}
      hold={hold}
    >
      {(close) => {
        if (stage === null) {
          return <PasswordForm act={startSecondFactor} onDone={setStage} submit="Continue" close={close} />;
        }
        if (Array.isArray(stage)) return <RecoveryCodes codes={stage} close={close} />;
        return <FirstCodeForm factor={stage} onDone={setStage} close={close} />;
      }}
    </StagedDialog>
  );
}

function RenewDialog({ hold }: { hold: Hold }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <StagedDialog
      trigger={<Button>New recovery codes</Button>}
      title={codes === null ? 'Create new recovery codes' : 'Store your recovery codes'}
      onOpen={() => setCodes(null)}
      hold={hold}
    >
      {(close) =>
        codes === null ? (
          <PasswordForm act={renewRecoveryCodes} onDone={setCodes} submit="Create codes" close={close}>
            The codes that you have now stop working.
          </PasswordForm>
        ) : (
          <RecoveryCodes codes={codes} close={close} />
        )
      }
    </StagedDialog>
  );
}

function TurnOffDialog({ hasPasskeys, hold }: { hasPasskeys: boolean; hold: Hold }) {
  return (
    <StagedDialog trigger={<Button>Turn off</Button>} title="Turn off the authenticator app" hold={hold}>
      {(close) => (
        <PasswordForm
          act={disableSecondFactor}
          onDone={() => {
            close();
            toast.success('The authenticator app is off');
          }}
          submit="Turn off"
          close={close}
        >
          {hasPasskeys
            ? 'After your password, you confirm with a passkey or a recovery code.'
            : 'Your password alone will be enough to sign in.'}
        </PasswordForm>
      )}
    </StagedDialog>
  );
}

type StagedDialogProps = {
  trigger: ReactNode;
  title: string;
  onOpen?: () => void;
  hold: Hold;
  children: (close: () => void) => ReactNode;
};

/** Refreshes the page when it is closed. */
function StagedDialog({ trigger, title, onOpen, hold, children }: StagedDialogProps) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const onOpenChange = (next: boolean) => {
    setOpen(next);
    hold(next);
    if (next) onOpen?.();
    else router.refresh();
  };
  return (
    <Dialog trigger={trigger} control={{ open, onOpenChange }} title={title}>
      {children}
    </Dialog>
  );
}

type PasswordFormProps<Value> = {
  act: (form: FormData) => Promise<Outcome<Value>>;
  onDone: (value: Value) => void;
  submit: string;
  close: () => void;
  children?: ReactNode;
};

function PasswordForm<Value>({ act, onDone, submit: verb, close, children }: PasswordFormProps<Value>) {
  const [state, submit, pending] = useFormAction(act, onDone);
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      {children ? <p className="text-ink-soft">{children}</p> : null}
      <OwnPassword state={state} />
      <FormFooter onCancel={close} submit={verb} busy="Checking" pending={pending} />
    </ActionForm>
  );
}

type FirstCodeFormProps = {
  factor: NewSecondFactor;
  onDone: (codes: string[]) => void;
  close: () => void;
};

function FirstCodeForm({ factor: { secret, qr }, onDone, close }: FirstCodeFormProps) {
  const [state, submit, pending] = useFormAction(enableSecondFactor, onDone);
  return (
    <ActionForm state={state} submit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-ink-soft">Scan this code with your authenticator app, or enter the key there.</p>
      {/* Apps read dark squares on white, in dark mode too. */}
      <svg
        role="img"
        aria-label="QR code of the key"
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        shapeRendering="crispEdges"
        className="size-48 justify-self-center rounded-lg bg-white p-2"
      >
        <path d={qr.path} fill="#000" />
      </svg>
      <div className="flex items-center justify-between gap-2 rounded-lg border bg-canvas py-2 pr-1 pl-3">
        <code className="font-mono text-list [overflow-wrap:anywhere]">{secret}</code>
        <CopyButton text={secret.replaceAll(' ', '')} what="key" />
      </div>
      <TextField
        state={state}
        name="code"
        label="Code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={100}
      />
      <FormFooter onCancel={close} submit="Turn on" busy="Checking" pending={pending} />
    </ActionForm>
  );
}
