import { ChartColumn } from 'lucide-react';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

/** Shown to agents and viewers, who may not see every conversation. */
export function ReportsNotAllowed() {
  return (
    <EmptyState icon={ChartColumn} title="Only owners and admins can see reports">
      <p>Ask an owner or admin of the workspace for the figures that you need.</p>
    </EmptyState>
  );
}
