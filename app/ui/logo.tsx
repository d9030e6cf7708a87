import { useBrand } from './brand'

/** The mark and the name. The same mark is in `public/favicon.svg`. */
export function Logo() {
  const { name } = useBrand()
  return (
    <span className="flex items-center gap-2 text-xl font-extrabold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-8">
        <rect width="32" height="32" rx="9" className="fill-accent" />
        <rect x="6" y="6" width="6" height="20" rx="3" className="fill-on-accent" />
        <path d="M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z" fillOpacity="0.75" className="fill-on-accent" />
      </svg>
      {/* With very large text on a phone, the bar has room for the mark alone. */}
      <span className="max-[14rem]:sr-only">{name}</span>
    </span>
  )
}
