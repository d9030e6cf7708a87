/** Decoration: a path that climbs past milestones to a flag, with hills and the sun behind it. */
export function LearningPathPicture() {
  return (
    <svg aria-hidden="true" viewBox="0 0 640 460" className="block w-full">
      {/* The sun with two rings. */}
      <circle cx="470" cy="128" r="64" className="fill-surface" />
      <circle cx="470" cy="128" r="104" fill="none" strokeWidth="1.5" className="stroke-surface" />
      <circle
        cx="470"
        cy="128"
        r="150"
        fill="none"
        strokeWidth="1.5"
        className="stroke-surface"
        opacity="0.6"
      />

      {/* The hills, from the farthest to the nearest. */}
      <path
        d="M0 300c90-70 150-60 230-10s150 40 230-26 130-58 180-40v236H0Z"
        className="fill-accent"
        opacity="0.12"
      />
      <path
        d="M0 356c110-66 190-40 280 0s190 26 360-62v166H0Z"
        className="fill-accent"
        opacity="0.16"
      />
      <path
        d="M0 414c140-48 250-26 350-6s190 4 290-38v90H0Z"
        className="fill-accent"
        opacity="0.22"
      />

      {/* The path with its milestones. */}
      <path
        d="M44 424c70-4 120-16 118-52s-64-40-56-74 92-30 158-36 96-22 88-54-6-54 40-66"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray="2 11"
        className="stroke-accent"
      />
      {milestones.map(({ x, y, isReached }) => (
        <g key={x}>
          <circle
            cx={x}
            cy={y}
            r="17"
            strokeWidth="3"
            className={isReached ? 'fill-accent stroke-accent' : 'fill-surface stroke-accent'}
          />
          {isReached && (
            <path
              d={`m${x - 6} ${y} 4.5 4.5 8-9`}
              fill="none"
              strokeWidth="3"
              strokeLinecap="round"
              strokeLinejoin="round"
              className="stroke-on-accent"
            />
          )}
        </g>
      ))}

      {/* The flag. */}
      <g className="stroke-accent" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
        <path d="M392 142V70" fill="none" />
        <path d="M392 74c16-10 30 8 48-2v34c-18 10-32-8-48 2Z" className="fill-accent" />
      </g>
    </svg>
  )
}

const milestones = [
  { x: 162, y: 372, isReached: true },
  { x: 106, y: 300, isReached: true },
  { x: 264, y: 262, isReached: true },
  { x: 353, y: 206, isReached: false },
]
