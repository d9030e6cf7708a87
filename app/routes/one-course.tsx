export default function Route() {
  return <h1 className="column title py-20">one-course</h1>
}
