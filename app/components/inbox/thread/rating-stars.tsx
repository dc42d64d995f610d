import { Star } from 'lucide-react';
import { cx } from '#app/lib/cx.ts';

const words: Record<number, string> = { 1: 'Very bad', 2: 'Bad', 3: 'Okay', 4: 'Good', 5: 'Very good' };

/** A rating from 1 to 5 as stars, and as words for those to whom the stars say nothing. */
export function RatingStars({ score }: { score: number }) {
  return (
    <span className="inline-flex items-center gap-1.5 font-medium text-ink text-list">
      <span aria-hidden className="inline-flex gap-0.5">
        {[1, 2, 3, 4, 5].map((place) => (
          <Star
            key={place}
            size={14}
            strokeWidth={1.75}
            className={cx(place <= score ? 'fill-waiting text-waiting' : 'text-ink-faint')}
          />
        ))}
      </span>
      {words[score] ?? `${score} of 5`}
    </span>
  );
}
