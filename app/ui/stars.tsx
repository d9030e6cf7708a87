import { Star } from 'lucide-react'

/** Whole stars, plus an empty one when the rating is fractional. */
export function Stars({ rating, className = '' }: { rating: number; className?: string }) {
  const whole = Math.floor(rating)
  return (
    <span role="img" aria-label={`Rated ${rating} out of 5`} className={`inline-flex text-star ${className}`}>
      {Array.from({ length: whole }, (_, index) => index).map((index) => (
        <Star key={index} aria-hidden="true" size={16} fill="currentColor" data-star="whole" />
      ))}
      {rating > whole && <Star aria-hidden="true" size={16} data-star="empty" />}
    </span>
  )
}
