import { Field } from '~/ui/form/field'

/**
 * Shows a picture of the site, with fields to replace or remove it.
 *
 * @param pictureUrl the current picture, or null
 * @param sizeClasses the classes for the size of the picture
 */
export function PictureFields({
  pictureUrl,
  hint,
  sizeClasses,
}: {
  pictureUrl: string | null
  hint: string
  sizeClasses: string
}) {
  return (
    <>
      {pictureUrl && (
        <p className="flex items-center gap-4">
          <img
            src={pictureUrl}
            alt="As it is now"
            className={`rounded-control bg-sunken object-contain ${sizeClasses}`}
          />
        </p>
      )}
      <Field
        label="Picture"
        name="picture"
        type="file"
        accept="image/png,image/jpeg,image/webp"
        hint={`${hint} PNG, JPEG or WebP, up to 5 MB.`}
      />
      {pictureUrl && (
        <label className="flex min-h-11 items-center gap-3">
          <input type="checkbox" name="remove" className="size-5 shrink-0 accent-accent" />
          Remove the picture
        </label>
      )}
    </>
  )
}
