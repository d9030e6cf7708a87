const stats = [
  ['10,000+', 'active students'],
  ['500+', 'expert courses'],
  ['95%', 'success rate'],
  ['25K+', 'certificates'],
  ['160+', 'fields'],
  ['15+', 'languages'],
] as const

/** The six numbers of the stats grid. */
export function HomeStats() {
  return (
    <section aria-labelledby="stats-title" className="relative border-line border-y bg-surface">
      <h2 id="stats-title" className="sr-only">
        Learnify by the numbers
      </h2>
      <dl className="column grid grid-cols-2 gap-x-4 gap-y-8 py-10 sm:grid-cols-3 lg:grid-cols-6 lg:py-12">
        {stats.map(([number, label]) => (
          <div key={label} className="flex flex-col-reverse justify-end border-line border-l pl-4 lg:pl-5">
            <dt className="text-muted">{label}</dt>
            <dd className="font-bold text-3xl leading-tight tracking-tight xl:text-4xl">{number}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
