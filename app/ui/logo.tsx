import { type Brand, useBrand } from './brand'

/** Shows the school's logo, or Learnify's mark, and the name. A wide logo contains the name. */
export function Logo() {
  const { name, logo, logoDark } = useBrand()
  const isWide = logo?.isWide

  return (
    <span className="flex items-center gap-2 text-xl font-extrabold tracking-tight">
      {logo ? (
        <>
          <LogoPicture
            {...logo}
            name={isWide ? name : ''}
            className={logoDark && 'in-dark:hidden'}
          />
          {logoDark && (
            <LogoPicture {...logoDark} name={isWide ? name : ''} className="hidden in-dark:block" />
          )}
        </>
      ) : (
        // The same mark is in `public/favicon.svg`.
        <svg aria-hidden="true" viewBox="0 0 32 32" className="size-8 min-w-8">
          <rect width="32" height="32" rx="9" className="fill-accent" />
          <rect x="6" y="6" width="6" height="20" rx="3" className="fill-on-accent" />
          <path
            d="M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z"
            fillOpacity="0.75"
            className="fill-on-accent"
          />
        </svg>
      )}
      {/* With very large text on a phone, the bar has room only for the mark. Two lines fit its height. */}
      {!isWide && <span className="line-clamp-2 leading-tight max-[14rem]:sr-only">{name}</span>}
    </span>
  )
}

type LogoPictureProps = NonNullable<Brand['logo']> & { name: string; className?: string }

function LogoPicture({ url, width, height, name, className = '' }: LogoPictureProps) {
  return (
    <img
      src={url}
      width={width}
      height={height}
      alt={name}
      className={`h-8 w-auto min-w-8 max-w-44 object-contain object-left ${className}`}
    />
  )
}
