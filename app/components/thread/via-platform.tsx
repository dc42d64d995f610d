import { Workflow } from 'lucide-react';

/** Says that a workflow wrote this in a teammate's name. */
export function ViaPlatform({ platformName }: { platformName: string }) {
  return (
    <span className="whitespace-nowrap text-ink-soft text-xs">
      <Workflow aria-hidden size={12} className="mr-1 inline-block align-[-1px]" />
      via {platformName}
    </span>
  );
}
