'use client';

import { FaultNotice, type FaultProps } from '#app/components/ui/fault-notice.tsx';

export default function ErrorInFrame(props: FaultProps) {
  return <FaultNotice {...props} />;
}
