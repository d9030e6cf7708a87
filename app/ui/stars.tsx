import { Star } from 'lucide-react'

const shapeId = 'star'
const sizePixels = 16

/**
 * The picture to which every star of a page refers. Five pictures per card would be a third of a
 * catalog page.
 */
export function StarShape() {
  return (
    <div hidden>
      <Star id={shapeId} fill="inherit" aria-hidden="true" />
    </div>
  )
}

/** Shows whole stars, plus an empty star if the rating is fractional. */
export function Stars({ rating, className = '' }: { rating: number; className?: string }) {
  const whole = Math.floor(rating)
  const count = Math.ceil(rating)

  return (
    <svg
      role="img"
      aria-label={`Rated ${rating} out of 5`}
      className={`inline-block text-star ${className}`}
      width={count * sizePixels}
      height={sizePixels}
      viewBox={`0 0 ${count * 24} 24`}
      fill="currentColor"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: it holds two numbers and no text.
      dangerouslySetInnerHTML={{ __html: starMarkup(whole, count) }}
    />
  )
}

const starAt = (index: number, kind: string) =>
  `<use href="#${shapeId}" x="${index * 24}" ${kind}/>`
const wholeStars = Array.from({ length: 5 }, (_, index) => starAt(index, 'data-star="whole"'))
/** By how many there are. */
const rows = Array.from({ length: 6 }, (_, count) => wholeStars.slice(0, count).join(''))

function starMarkup(whole: number, count: number): string {
  return (rows[whole] ?? '') + (count > whole ? starAt(whole, 'data-star="empty" fill="none"') : '')
}
