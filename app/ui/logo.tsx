/** The mark and the name. The same mark is in `public/favicon.svg`. */
export function Logo() {
  return (
    <span className="flex items-center gap-2 text-xl font-extrabold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-8">
        <rect width="32" height="32" rx="9" className="fill-accent" />
        <path
          d="M9 8v11.5A3.5 3.5 0 0 0 12.5 23H23"
          fill="none"
          strokeWidth="3.2"
          strokeLinecap="round"
          className="stroke-on-accent"
        />
        <circle cx="20" cy="12" r="3.2" className="fill-on-accent" />
      </svg>
      Learnify
    </span>
  )
}
