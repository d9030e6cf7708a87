/** A course's artwork, 16:9. Decorative: the course's title stands beside it. */
export function CourseCover({
  courseId,
  sizes,
  eager = false,
  first = false,
  className = '',
}: {
  courseId: string
  /** How wide it is shown, as the attribute `sizes` of an image. */
  sizes: string
  /** For covers in the first view; all others load when they are scrolled near. */
  eager?: boolean
  /** The page's largest picture, loaded first. */
  first?: boolean
  className?: string
}) {
  const folder = `/media/courses/${courseId}`
  return (
    <img
      src={`${folder}/cover.webp`}
      srcSet={`${folder}/cover.webp 640w, ${folder}/cover-1280.webp 1280w`}
      sizes={sizes}
      width={640}
      height={360}
      alt=""
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={first ? 'high' : undefined}
      decoding="async"
      className={`block aspect-video w-full bg-sunken object-cover ${className}`}
    />
  )
}
