const rays = Array.from({ length: 12 }, (_, index) => index * 30)

/** Rays that come and go once around what they stand in, which has to be positioned; only for those who like motion. */
export function Rays() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 56 56"
      className="pointer-events-none absolute inset-0 overflow-visible forced-colors:hidden print:hidden"
    >
      {rays.map((angle) => (
        <path
          key={angle}
          d="M28-1v-7"
          transform={`rotate(${angle} 28 28)`}
          pathLength="1"
          className={`celebration-ray ${angle % 60 === 0 ? 'stroke-accent' : 'stroke-star'}`}
        />
      ))}
    </svg>
  )
}
