/** The rules for Prometheus and the dashboards for Grafana that the archive contains, with a real Prometheus and real nodes. */
package io.tributary.system.monitoring;
