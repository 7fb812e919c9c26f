const typing = (element) => element && (element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName));

function focusable(box) {
  for (const element of box.querySelectorAll("[data-go]")) {
    if (!element.hasAttribute("tabindex") && !/^(BUTTON|A)$/.test(element.tagName)) element.tabIndex = 0;
    if (!element.hasAttribute("role") && element.tagName !== "BUTTON" && element.tagName !== "TR") element.setAttribute("role", "link");
  }
}

function walk(box, by) {
  const rows = [...box.querySelectorAll("[data-row]")];
  if (!rows.length) return;
  const at = rows.findIndex((row) => row.classList.contains("wm-on"));
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
  if (at >= 0) rows[at].classList.remove("wm-on");
  next.classList.add("wm-on");
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

export default function ({ parentElement, data, setTriggerValue }) {
  let box = parentElement.querySelector(":scope > .wm-html");
  if (!box) {
    box = document.createElement("div");
    box.className = "wm-html";
    parentElement.appendChild(box);
  }
  if (box.whymissHtml !== data.html) {
    box.innerHTML = data.html;
    box.whymissHtml = data.html;
    focusable(box);
  }
  const go = (element) => element && setTriggerValue("go", element.dataset.go);
  box.onclick = (event) => {
    if (!window.getSelection().isCollapsed && !event.target.closest("button")) return;
    go(event.target.closest("[data-go]"));
  };
  box.onkeydown = (event) => {
    const pressed = event.key === "Enter" || (event.key === " " && event.target.getAttribute("role") === "button");
    if (pressed && event.target.matches("[data-go]")) {
      event.preventDefault();
      go(event.target);
    }
  };
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || !box.isConnected) return;
    const key = event.key.toLowerCase();
    if (data.keys[key]) {
      event.preventDefault();
      setTriggerValue("go", data.keys[key]);
    } else if (key === "j" || key === "k") {
      walk(box, key === "j" ? 1 : -1);
    }
  };
  if (box.whymissKey) document.removeEventListener("keydown", box.whymissKey);
  box.whymissKey = onKey;
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
