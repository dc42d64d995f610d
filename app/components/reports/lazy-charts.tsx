'use client';

import dynamic from 'next/dynamic';

const loading = () => <div aria-hidden className="h-[26rem]" />;

/** The charts, without which the page is complete: their library is loaded after it. */
export const LazyCharts = dynamic(
  () => import('#app/components/reports/charts.tsx').then(({ Charts }) => Charts),
  {
    ssr: false,
    loading,
  },
);
