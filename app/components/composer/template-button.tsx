'use client';

import { useQuery } from '@tanstack/react-query';
import { LayoutTemplate } from 'lucide-react';
import { useState } from 'react';
import { TemplateForm } from '#app/components/composer/template-form.tsx';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import type { TemplateView } from '#server/screens/inbox/composer-views.ts';

type Loaded = TemplateView[] | { problem: string };

/** Sends an approved WhatsApp template. Templates also reach contacts whose 24-hour window is closed. */
export function TemplateButton({ conversationId }: { conversationId: string }) {
  const [open, onOpenChange] = useState(false);
  const screens = useScreens();
  const { data, error } = useQuery({
    queryKey: ['composer.templates', conversationId],
    queryFn: ({ signal }) => screens.composer.templates.query({ conversationId }, { signal }),
    enabled: open,
  });
  const loaded: Loaded | null = error ? { problem: queryErrorMessage(error) } : (data ?? null);
  return (
    <Popover
      control={{ open, onOpenChange }}
      trigger={
        <Button variant="quiet" data-tip="Template" data-shortcut="template" className="px-2.5">
          <LayoutTemplate aria-hidden size={16} strokeWidth={1.75} />
          <span className="@max-xl:sr-only">Template</span>
        </Button>
      }
      aria-label="Send a template"
      side="top"
      align="start"
      className="scroll-pane z-30 w-96 p-4"
    >
      <Content conversationId={conversationId} loaded={loaded} onSent={() => onOpenChange(false)} />
    </Popover>
  );
}

function Content({
  conversationId,
  loaded,
  onSent,
}: {
  conversationId: string;
  loaded: Loaded | null;
  onSent: () => void;
}) {
  if (loaded === null) {
    return <Loading />;
  }
  if ('problem' in loaded) return <Alert>{loaded.problem}</Alert>;
  if (loaded.length === 0) {
    return <p className="text-ink-soft text-list">No approved templates. Add one in WhatsApp Manager.</p>;
  }
  return <TemplateForm conversationId={conversationId} templates={loaded} onSent={onSent} />;
}

function Loading() {
  return (
    <p role="status" className="text-ink-soft text-list">
      Loading templates…
    </p>
  );
}
