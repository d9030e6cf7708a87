import { Star } from 'lucide-react'

const shapeId = 'star'
const sizePixels = 16
/** The width and height of the shape in its own units. */
const shapeSize = 24

/**
 * Defines the shape that every star of a page refers to. Without it, the stars of all cards would
 * be a third of a catalog page's HTML.
 */
export function StarShape() {
  return (
    <div hidden>
      <Star id={shapeId} fill="inherit" aria-hidden="true" />
    </div>
  )
}

/** Shows a rating as whole stars, plus an empty star if the rating is fractional. */
export function Stars({ rating, className = '' }: { rating: number; className?: string }) {
  const wholeCount = Math.floor(rating)
  const starCount = Math.ceil(rating)

  return (
    <svg
      role="img"
      aria-label={`Rated ${rating} out of 5`}
      className={`inline-block text-star ${className}`}
      width={starCount * sizePixels}
      height={sizePixels}
      viewBox={`0 0 ${starCount * shapeSize} ${shapeSize}`}
      fill="currentColor"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup depends on two numbers only.
      dangerouslySetInnerHTML={{ __html: renderStars(wholeCount, starCount) }}
    />
  )
}

function renderStars(wholeCount: number, starCount: number): string {
  const wholeStars = wholeStarRows[wholeCount] ?? ''
  const hasEmptyStar = starCount > wholeCount
  return hasEmptyStar
    ? wholeStars + renderStar(wholeCount, 'data-star="empty" fill="none"')
    : wholeStars
}

const renderStar = (position: number, attributes: string) =>
  `<use href="#${shapeId}" x="${position * shapeSize}" ${attributes}/>`

const maxStars = 5
const wholeStars = Array.from({ length: maxStars }, (_, position) =>
  renderStar(position, 'data-star="whole"'),
)
/** The markup of 0 to 5 whole stars. */
const wholeStarRows = Array.from({ length: maxStars + 1 }, (_, count) =>
  wholeStars.slice(0, count).join(''),
)
