'use client';

import { CentredCard } from '#app/components/ui/centred-card.tsx';
import { FaultNotice, type FaultProps } from '#app/components/ui/fault-notice.tsx';

export default function ErrorPage(props: FaultProps) {
  return (
    <CentredCard>
      <FaultNotice {...props} />
    </CentredCard>
  );
}
