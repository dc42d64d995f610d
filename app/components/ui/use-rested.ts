'use client';

import { useEffect, useState } from 'react';

/** A value that is being typed, as it was when typing last rested for `pauseMs`. */
export function useRested<Value>(value: Value, pauseMs: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return rested;
}
