'use client';

import '#app/globals.css';
import { CentredCard } from '#app/components/ui/centred-card.tsx';
import { FaultNotice, type FaultProps } from '#app/components/ui/fault-notice.tsx';

/** Stands in for the root layout when that itself fails. */
export default function GlobalError(props: FaultProps) {
  return (
    <html lang="en">
      <body>
        <title>Something went wrong</title>
        <CentredCard>
          <FaultNotice {...props} />
        </CentredCard>
      </body>
    </html>
  );
}
